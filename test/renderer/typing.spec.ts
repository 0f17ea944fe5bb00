import { shorttext } from './cases/shorttext';
import { typingSuite } from './support/typing';

typingSuite(shorttext);
