import { type Members, numberOf, textOf } from '../../members';
import { type Attempted, attemptedOf } from '../../question';

const MAX_LENGTH = 250;

export const shownText = (value: unknown): string => textOf(value);

export const valueOf = (text: string): string | null => (text === '' ? null : text);

export const maxLength = (question: Members): number =>
  Math.min(MAX_LENGTH, Math.max(1, Math.round(numberOf(question['max_length'], 50))));

export const attempted = (value: unknown): Attempted => attemptedOf(shownText(value).trim() === '' ? 0 : 1, 1);
