import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, PACKAGE_ROOT } from '#platform';
import { quickStartOf } from '../quick-start';
import { escaped, htmlPage } from './html-page';

/** The version of this program. */
export const { version } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as { version: string };

/** Links for new readers, to pages below /docs. */
const GUIDES = [
  ['console.md', 'Work in the console', 'what its screens do, and who sees which'],
  ['authoring.md', 'Author content', 'a workflow, items that are published through it, a picture, a restored revision'],
  ['assessing.md', 'Assess learners', 'a test, its scores, a wrong key corrected, a report'],
  ['scoring.md', 'Score answers', 'how each type of question is scored'],
  ['sessions.md', 'Keep sessions', 'how results arrive, and how they are read'],
  [
    'operating.md',
    'Operate the service',
    'from an empty machine to production, and what to do when something is wrong',
  ],
  ['architecture.md', 'Understand the service', 'the one page to read before the code'],
] as const;

/** The page at /, for people. */
export function welcomePage(config: Config): string {
  const guides = GUIDES.map(([name, title, what]) => `<li><a href="docs/${name}">${title}</a>: ${what}</li>`);
  return htmlPage({
    title: 'Itembank',
    root: './',
    body: `<h1>Itembank is running</h1>
<p>Version ${escaped(version)}. <a href="health/ready">Is it ready?</a></p>
${config.console ? '<h2>Work in the console</h2>\n<p><a href="console/">Sign in</a> to see and write items, mark answers and manage the service. The first start prints a link that signs you in.</p>\n' : ''}${quickStartOf(config) ? '<h2>Take a test</h2>\n<p><a href="try">Try the tests of the demo bank</a> in this browser.</p>\n' : ''}<h2>Make a call</h2>
${firstCall(config)}
<p>The <a href="docs">reference</a> begins with the same call by curl, Node.js and Python, and lists all operations.
Programs read <a href="openapi.json">openapi.json</a>.</p>
<h2>Guides</h2>
<ul>
${guides.join('\n')}
</ul>`,
  });
}

function firstCall(config: Config): string {
  const quickStart = quickStartOf(config);
  if (!quickStart)
    return '<p>Every call is signed with the key and the secret of a consumer, which whoever operates this service gives you.</p>';
  return `<p>In a second terminal, in the source folder:</p>
<pre tabindex="0"><code>${escaped(quickStart.command)}</code></pre>
<p>It is signed with the credentials in <code>${escaped(quickStart.credentials)}</code>.</p>`;
}
