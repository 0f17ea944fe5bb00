import { html, LitElement } from 'lit';
import { property, state } from 'lit/decorators.js';
import { type Labels, labelsFor } from '../../labels';
import type { Members } from '../../members';
import { baseStyle } from '../../style';
import { addressOf, limitOf, mediaFigure, mediaStyle, passOn } from '../media';

export default class AudioPlayer extends LitElement {
  static override styles = [baseStyle, mediaStyle];

  @property({ attribute: false }) feature: Members = {};
  @property({ attribute: false }) labels: Labels = labelsFor('en');
  @state() private plays = 0;

  protected override render() {
    const isOver = limitOf(this.feature) > 0 && this.plays >= limitOf(this.feature);
    const player = html`<audio
      src=${addressOf(this.feature)}
      ?controls=${!isOver}
      controlslist="nodownload"
      preload="metadata"
      @play=${passOn}
      @pause=${passOn}
      @ended=${(event: Event) => {
        this.plays += 1;
        passOn(event);
      }}
    ></audio>`;
    return mediaFigure({ feature: this.feature, labels: this.labels, plays: this.plays, player });
  }
}
