/* The settings, without what they configure: the command line starts with these alone. */
export { settings } from './config/settings';
