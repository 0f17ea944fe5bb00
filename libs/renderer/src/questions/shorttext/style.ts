import { css } from '../../css';

export const style = css`
  .answer {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
  }
`;
