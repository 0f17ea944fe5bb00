import { clozeassociation } from './cases/clozeassociation';
import { placingSuite } from './support/placing';

placingSuite(clozeassociation);
