/** The largest file that is read as a whole, whether in a package or not. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** The largest size of all files of a package together, unpacked. */
export const MAX_TOTAL_BYTES = 4 * 1024 * 1024 * 1024;
export const MAX_FILES = 100_000;
/** The largest factor by which a file may grow by unpacking. */
export const MAX_RATIO = 200;
/** Files up to this size may exceed the ratio. */
export const RATIO_FREE_BYTES = 1024 * 1024;
/** The largest length of a line in a text that is read line by line. */
export const MAX_LINE_LENGTH = 20_000_000;
