export { announce } from './interactions/announce';
export { type LabelKey, type Labels, labelsFor } from './labels';
export type { Attempted, Mode, Question, Review } from './question';
export { type Heading, QuestionElement } from './question-element';
export { defineQuestion, SUPPORTED_TYPES } from './registry';
export { markup } from './content/markup';
export { sanitise } from './content/sanitise';
export { defineFeature, SUPPORTED_FEATURES } from './features/registry';
export { loadTypesetter, typesetter } from './content/mathematics';
