import { Directive, directive, type ElementPart, type PartInfo, PartType } from 'lit/directive.js';
import { noChange } from 'lit';

/** Undefined takes a property away. */
type Styles = Readonly<Record<string, string | undefined>>;

class SetStyles extends Directive {
  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error('setStyles stands in a tag: <div ${setStyles({…})}>.');
  }

  render(_styles: Styles) {
    return noChange;
  }

  override update(part: ElementPart, [styles]: [Styles]) {
    const { style } = part.element as HTMLElement;
    for (const [name, value] of Object.entries(styles))
      if (value === undefined) style.removeProperty(name);
      else style.setProperty(name, value);
    return noChange;
  }
}

/** Computed sizes: `<div ${setStyles({ '--columns': '2' })}>`. A `style` attribute is what a strict content policy forbids. */
export const setStyles = directive(SetStyles);
