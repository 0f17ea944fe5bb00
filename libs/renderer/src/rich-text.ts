/* What every editor of formatted text needs: the formats, and the tools that set them. */
export { moveInToolbar } from './interactions/toolbar';
export { dropText, pluginsFor } from './interactions/rich-text/plugins';
export { marks, nodes } from './interactions/rich-text/schema';
export { TABLE_TOOLS, type Tool, TOOLS } from './interactions/rich-text/tools';
