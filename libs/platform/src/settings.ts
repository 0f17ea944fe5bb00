/* The settings without the code that they configure. The command line starts with these alone. */
export { settings } from './config/settings';
