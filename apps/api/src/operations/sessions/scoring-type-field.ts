import { ITEM_SCORING_TYPES, type ItemScoringType } from '#scoring';
import { words } from '../../declaration/fields';

/** `per-dichotomous` is another name of the dichotomous type. */
export const scoringType = words([...ITEM_SCORING_TYPES, 'per-dichotomous'], {
  description: 'How question scores are combined into the score of an item; overrides the setting of the items.',
});

export function scoringTypeOf(written: ItemScoringType | 'per-dichotomous'): ItemScoringType {
  return written === 'per-dichotomous' ? 'dichotomous' : written;
}
