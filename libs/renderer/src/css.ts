import { css as cssOf, type CSSResultGroup } from 'lit';

/** A length in `rem`. Many pages make their root smaller than browsers have it, so one rem has at least 16 pixels. */
export const rem = (count: number): string => `${count < 0 ? 'min' : 'max'}(${count}rem,${count * 16}px)`;

/** Styles whose lengths in `rem` are those of {@link rem}. */
export const css = (texts: TemplateStringsArray, ...values: CSSResultGroup[]) => {
  const floored = texts.map((text) =>
    text.replace(/(?<![\d.])(-?[\d.]+)rem/g, (_, count: string) => rem(Number(count))),
  );
  return cssOf(floored as unknown as TemplateStringsArray, ...values);
};
