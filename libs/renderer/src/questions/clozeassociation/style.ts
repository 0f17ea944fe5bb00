import { css } from '../../css';

export const style = css`
  /* Space for the places between the lines. */
  .template {
    line-height: 2.25;
  }

  .blank {
    line-height: 1.4;
  }
`;
