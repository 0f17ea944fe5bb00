import { Directive, directive, type ElementPart, type PartInfo, PartType } from 'lit/directive.js';
import { noChange } from 'lit';

/** An undefined value removes the property. */
type Styles = Readonly<Record<string, string | undefined>>;

class SetStyles extends Directive {
  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error('setStyles belongs in a tag: <div ${setStyles({…})}>.');
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

/**
 * Sets computed styles: `<div ${setStyles({ '--columns': '2' })}>`. A strict content security policy forbids `style`
 * attributes.
 */
export const setStyles = directive(SetStyles);
