import { choicematrix } from './cases/choicematrix';
import { matrixSuite } from './support/matrix';

matrixSuite(choicematrix);
