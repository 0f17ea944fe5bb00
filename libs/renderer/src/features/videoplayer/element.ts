import { html, nothing } from 'lit';
import { addressIn, MediaPlayer } from '../media';

export default class VideoPlayer extends MediaPlayer {
  protected override media(src: string, hasControls: boolean) {
    return html`<video
      src=${src}
      poster=${addressIn(this.feature['poster']) || nothing}
      ?controls=${hasControls}
      controlslist="nodownload"
      preload="metadata"
      @play=${this.heard}
      @pause=${this.heard}
      @ended=${this.heard}
      @error=${this.heard}
      @loadedmetadata=${this.heard}
      @seeking=${this.heard}
      @timeupdate=${this.heard}
    ></video>`;
  }
}
