import { hotspot } from './cases/hotspot';
import { mcq } from './cases/mcq';
import { choosingSuite } from './support/choosing';

choosingSuite(mcq);
choosingSuite(hotspot);
