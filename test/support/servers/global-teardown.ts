import { stopStartedServers } from './global-setup';

export default stopStartedServers;
