import { type RoundProgress } from '#sessions';

/** How far a marking round is, as clients read it. */
export const progressView = ({ first, second, third, settled }: RoundProgress) => ({
  answers: first + second + third + settled,
  first,
  second,
  third,
  settled,
});
