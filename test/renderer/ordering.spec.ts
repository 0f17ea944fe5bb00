import { orderlist } from './cases/orderlist';
import { sortlist } from './cases/sortlist';
import { orderingSuite } from './support/ordering';
import { sortingSuite } from './support/sorting';

orderingSuite(orderlist);
sortingSuite(sortlist);
