import { mcq } from './cases/mcq';
import { choosingSuite } from './support/choosing';

choosingSuite(mcq);
