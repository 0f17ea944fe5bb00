import { highlight } from './cases/highlight';
import { drawingSuite } from './support/drawing';

drawingSuite(highlight);
