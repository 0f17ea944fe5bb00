import { numberline } from './cases/numberline';
import { slidingSuite } from './support/sliding';

slidingSuite(numberline);
