import { hotspot } from './cases/hotspot';
import { mcq } from './cases/mcq';
import { rating } from './cases/rating';
import { choosingSuite } from './support/choosing';

choosingSuite(mcq);
choosingSuite(hotspot);
choosingSuite(rating);
