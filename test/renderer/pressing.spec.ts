import { simpleshading } from './cases/simpleshading';
import { tokenhighlight } from './cases/tokenhighlight';
import { pressingSuite } from './support/pressing';

pressingSuite(simpleshading);
pressingSuite(tokenhighlight);
