/*
 * The page at /docs. It holds no script and no style of its own, so that a strict Content-Security-Policy can stand over
 * it: what it needs are the files below.
 */

/** Files of the page, by their names below /docs: one of swagger-ui-dist, or text of our own. */
export const PAGE_FILES = new Map<string, { type: string; text?: string }>([
  ['swagger-ui.css', { type: 'text/css; charset=utf-8' }],
  ['swagger-ui-bundle.js', { type: 'text/javascript; charset=utf-8' }],
  ['favicon-32x32.png', { type: 'image/png' }],
  ['page.css', { type: 'text/css; charset=utf-8', text: pageStyle() }],
  ['page.js', { type: 'text/javascript; charset=utf-8', text: pageScript() }],
]);

export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** @param files where the files are, as seen from the page. */
export function docsPage(files: string): string {
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Itembank: operations</title>
    <link rel="icon" type="image/png" href="${files}favicon-32x32.png">
    <link rel="stylesheet" href="${files}swagger-ui.css">
    <link rel="stylesheet" href="${files}page.css">
  </head>
  <body>
    <noscript>This page needs JavaScript; the document it shows is at <a href="${files}../openapi.json">openapi.json</a>.</noscript>
    <main id="operations"></main>
    <script src="${files}swagger-ui-bundle.js"></script>
    <script src="${files}page.js"></script>
  </body>
</html>
`;
}

function pageStyle(): string {
  return `body { margin: 0; background: #fafafa; }
`;
}

function pageScript(): string {
  return `SwaggerUIBundle({
  url: new URL('../openapi.json', document.currentScript.src).href,
  domNode: document.getElementById('operations'),
  // Calls are signed; a browser has no secret to sign with.
  supportedSubmitMethods: [],
  validatorUrl: null,
  deepLinking: true,
  filter: true,
  docExpansion: 'list',
  defaultModelRendering: 'model',
  defaultModelExpandDepth: 4,
  defaultModelsExpandDepth: 0,
});
`;
}
