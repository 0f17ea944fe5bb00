import { clozedropdown } from './cases/clozedropdown';
import { gridded } from './cases/gridded';
import { imageclozedropdown } from './cases/imageclozedropdown';
import { selectingSuite } from './support/selecting';

selectingSuite(clozedropdown);
selectingSuite(gridded);
selectingSuite(imageclozedropdown);
