import { html } from 'lit';
import { MediaPlayer } from '../media';

export default class VideoPlayer extends MediaPlayer {
  protected override media(src: string, hasControls: boolean) {
    return html`<video
      src=${src}
      ?controls=${hasControls}
      controlslist="nodownload"
      preload="metadata"
      @play=${this.heard}
      @pause=${this.heard}
      @ended=${this.heard}
      @loadedmetadata=${this.heard}
      @seeking=${this.heard}
      @timeupdate=${this.heard}
    ></video>`;
  }
}
