/** The libraries in their order: each may use those before it. */
const ORDER = [
  'kernel',
  'platform',
  'scoring',
  'access',
  'people',
  'jobs',
  'events',
  'tagging',
  'workflows',
  'content',
  'pools',
  'sessions',
  'marking',
  'rescoring',
  'reporting',
  'delivery',
  'learners',
  'interchange',
  'runtime',
];

/** Code for browsers: a library and applications that share nothing with those of the server. */
const OF_BROWSERS = ['libs/renderer', 'apps/player', 'apps/console'];

/** What domain/, kernel and scoring may use besides themselves: packages that compute and touch nothing outside. */
const PURE_PACKAGES = [
  'canonicalize',
  'complex.js',
  'csv-parse',
  'csv-stringify',
  'entities',
  'fast-json-patch',
  'fraction.js',
  'image-size',
  'ipaddr.js',
  'markdown-it',
  'mime-types',
  'sanitize-html',
  'saxes',
  'ulid',
];

const oneOf = (names) => `(${names.join('|')})`;
const purePackage = `^node_modules/(@types/)?${oneOf(PURE_PACKAGES)}/`;
const pureOfNode = '^(node:)?(crypto|path/posix)$';
/** Parts of libraries that others load alone, as `#name/part`: programs and pages must load little at first. */
const PARTS = [
  'access/signing',
  'platform/settings',
  'renderer/rich-text',
  'renderer/tool-names',
  'runtime/credentials',
  'runtime/modules',
];
const index = (library) => `^libs/${library}/src/index[.]ts$`;
const parts = `^libs/${oneOf(PARTS.map((part) => part.replace('/', '/src/')))}[.]ts$`;
const browsers = `^${oneOf(OF_BROWSERS)}/`;
const test = '[.]spec[.]ts$';

/** Each rule is broken on purpose in test/architecture/borders.spec.ts, under its name. */
const rules = [
  ...ORDER.slice(0, -1).map((library, place) => ({
    name: `${library}-uses-none-after-it`,
    comment: `${library} comes before ${ORDER.slice(place + 1).join(', ')} and may not use them.`,
    from: { path: `^libs/${library}/` },
    to: { path: `^libs/${oneOf(ORDER.slice(place + 1))}/` },
  })),
  {
    name: 'every-library-has-a-place',
    comment: 'Add the new library to the order at the top of .dependency-cruiser.cjs.',
    from: { path: '^libs/', pathNot: [`^libs/${oneOf(ORDER)}/`, browsers] },
    to: {},
  },
  {
    name: 'through-the-index',
    comment: 'What a library offers to others is in its index.ts, imported as #name, or in one of the PARTS.',
    from: { path: '^(?:apps|libs)/([^/]+)/' },
    to: { path: '^libs/', pathNot: ['^libs/$1/', index('[^/]+'), parts] },
  },
  {
    name: 'by-its-name',
    comment: 'Another library is imported as #name, not by the path of its index.ts.',
    from: { path: '^(?:apps|libs)/([^/]+)/' },
    to: { path: [index('[^/]+'), parts], pathNot: '^libs/$1/', dependencyTypesNot: ['aliased'] },
  },
  {
    name: 'libraries-know-no-application',
    comment: 'Applications are put together from libraries, not the other way round.',
    from: { path: '^libs/' },
    to: { path: '^apps/' },
  },
  {
    name: 'browsers-know-no-server',
    comment: 'What runs in browsers speaks to the service over HTTP, and shares no code with it.',
    from: { path: browsers },
    to: { path: '^(apps|libs)/', pathNot: browsers },
  },
  {
    name: 'server-knows-no-browser',
    comment: 'The server hands out what is built for browsers, as files.',
    from: { path: '^(apps|libs)/', pathNot: browsers },
    to: { path: browsers },
  },
  {
    name: 'questions-know-no-other',
    comment: 'What question types share is in interactions/, content/ or beside question-element.ts.',
    from: { path: '^libs/renderer/src/questions/([^/]+)/' },
    to: { path: '^libs/renderer/src/questions/', pathNot: '^libs/renderer/src/questions/$1/' },
  },
  {
    name: 'no-application-imports-another',
    comment: 'Move shared code to a library; libs/runtime has the code that starts and stops programs.',
    from: { path: '^apps/([^/]+)/' },
    to: { path: '^apps/', pathNot: '^apps/$1/' },
  },
  {
    name: 'domain-is-pure',
    comment: 'domain/ holds rules: it uses domain/, #kernel and packages that only compute.',
    from: { path: '^libs/([^/]+)/src/domain/', pathNot: test },
    to: { pathNot: ['^libs/$1/src/domain/', index('[^/]+'), purePackage, pureOfNode] },
  },
  {
    name: 'domain-takes-only-types-of-others',
    comment:
      'domain/ may name what another library calls its things, and do nothing with that library; but for scoring, which only computes.',
    from: { path: '^libs/[^/]+/src/domain/' },
    to: { path: index('[^/]+'), pathNot: index('(kernel|scoring)'), dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'kernel-and-scoring-are-pure',
    comment: 'kernel and scoring use themselves, #kernel and packages that only compute.',
    from: { path: '^libs/(kernel|scoring)/src/', pathNot: test },
    to: { pathNot: ['^libs/$1/src/', index('kernel'), purePackage, pureOfNode] },
  },
  {
    name: 'application-knows-no-infrastructure',
    comment: 'application/ speaks to ports; the module of the library binds the adapters.',
    from: { path: '^libs/[^/]+/src/application/' },
    to: { path: '^libs/[^/]+/src/infrastructure/' },
  },
  {
    name: 'formats-are-pure',
    comment:
      'A format turns bytes into entries and back. It uses formats/, #kernel, #scoring and packages that only compute.',
    from: { path: '^libs/interchange/src/formats/', pathNot: test },
    to: {
      pathNot: ['^libs/interchange/src/formats/', index('(kernel|scoring)'), purePackage, pureOfNode],
    },
  },
  {
    name: 'no-cycles',
    comment: 'Files that need each other belong together, or need a third one.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-orphans',
    comment: 'A file that uses nobody and that nobody uses is dead.',
    from: { orphan: true, pathNot: test },
    to: {},
  },
  {
    name: 'nothing-unresolved',
    comment: 'An import that leads nowhere would slip through every other rule.',
    from: {},
    // Vite reads these names: a file as a text or as its address.
    to: { couldNotResolve: true, pathNot: '[?](inline|url)$' },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: 'node_modules' },
    // A type from beyond a border crosses it too.
    tsPreCompilationDeps: true,
    // Its `paths` lead #name to the sources.
    tsConfig: { fileName: 'tsconfig.json' },
    // As Node takes packages for CommonJS; some have a default below that.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default', 'types'] },
  },
};
