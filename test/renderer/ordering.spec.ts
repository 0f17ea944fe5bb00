import { orderlist } from './cases/orderlist';
import { orderingSuite } from './support/ordering';

orderingSuite(orderlist);
