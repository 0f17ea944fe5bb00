import { clozeformula } from './cases/clozeformula';
import { clozetext } from './cases/clozetext';
import { formulaV2 } from './cases/formulaV2';
import { imageclozetext } from './cases/imageclozetext';
import { longtextV2 } from './cases/longtextV2';
import { plaintext } from './cases/plaintext';
import { shorttext } from './cases/shorttext';
import { typingSuite } from './support/typing';

typingSuite(clozeformula);
typingSuite(clozetext);
typingSuite(formulaV2);
typingSuite(imageclozetext);
typingSuite(longtextV2);
typingSuite(plaintext);
typingSuite(shorttext);
