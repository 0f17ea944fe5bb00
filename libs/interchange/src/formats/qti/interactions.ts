import { type XmlElement } from '../xml';
import { choice, type Converter, hotspot, hottext } from './choices';
import { drawing, extendedText, unsupported, upload } from './manual';
import { nameOf } from './names';
import { order } from './order';
import { associate, gapMatch, graphicGapMatch, match } from './pairs';

/** Interactions within a line of text. Those of one kind become one question. */
export const INLINE = ['inlineChoiceInteraction', 'textEntryInteraction'] as const;

/** Every block interaction of the standard, with its converter to a question. */
export const INTERACTIONS: Readonly<Record<string, Converter>> = {
  associateInteraction: associate,
  choiceInteraction: choice,
  customInteraction: unsupported,
  drawingInteraction: drawing,
  extendedTextInteraction: extendedText,
  gapMatchInteraction: gapMatch,
  graphicAssociateInteraction: unsupported,
  graphicGapMatchInteraction: graphicGapMatch,
  graphicOrderInteraction: unsupported,
  hotspotInteraction: hotspot,
  hottextInteraction: hottext,
  matchInteraction: match,
  orderInteraction: order,
  portableCustomInteraction: unsupported,
  positionObjectInteraction: unsupported,
  positionObjectStage: unsupported,
  selectPointInteraction: unsupported,
  sliderInteraction: unsupported,
  uploadInteraction: upload,
};

/** Interactions that do not become questions: media are content, and a hint is dropped. */
const NO_QUESTIONS = new Set(['mediaInteraction', 'endAttemptInteraction']);

const isInteraction = (element: XmlElement): boolean => {
  const name = nameOf(element);
  return (name.endsWith('Interaction') || name === 'positionObjectStage') && !NO_QUESTIONS.has(name);
};

/** The interactions in a node, outermost ones only. */
export function interactionsIn(node: XmlElement | string): XmlElement[] {
  if (typeof node === 'string') return [];
  return isInteraction(node) ? [node] : node.children.flatMap(interactionsIn);
}

/** The kind of these inline interactions, if all have the same one; otherwise undefined. */
export function inlineKind(interactions: readonly XmlElement[]): (typeof INLINE)[number] | undefined {
  return INLINE.find((kind) => interactions.length > 0 && interactions.every((each) => nameOf(each) === kind));
}
