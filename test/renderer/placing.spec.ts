import { association } from './cases/association';
import { classification } from './cases/classification';
import { imageclozeassociation } from './cases/imageclozeassociation';
import { clozeassociation } from './cases/clozeassociation';
import { placingSuite } from './support/placing';

placingSuite(clozeassociation);
placingSuite(association);
placingSuite(classification);
placingSuite(imageclozeassociation);
