import { html } from 'lit';
import { MediaPlayer } from '../media';

export default class AudioPlayer extends MediaPlayer {
  protected override media(src: string, hasControls: boolean) {
    return html`<audio
      src=${src}
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
    ></audio>`;
  }
}
