import { readPages } from '../../operations/call';
import { type BankSearch, itemsInput } from './filters';

/** The items that fit the filters of the address, page by page. */
export const bankPages = (search: BankSearch) => readPages('get itembank/items', itemsInput(search));
