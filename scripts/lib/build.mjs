import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { rollUp } from './declarations.mjs';
import { licencesOf, packagesIn } from './licences.mjs';
import { compileCache, dist, root } from './paths.mjs';
import { SetupError, say } from './say.mjs';
import { filesBelow, readOrEmpty, statStamp, writeAtomically } from './stamp.mjs';

/** Name in dist/ → source. */
const ENTRIES = {
  cli: 'src/cli/main.ts',
  'in-process': 'src/testing/in-process.ts',
};
/** The same for entries that programs import: small files, each as an ES module and as CommonJS, with type declarations. */
const LIBRARIES = {
  testing: { source: 'src/testing/entry.ts', types: 'src/testing/public.d.ts' },
  client: { source: 'src/client/index.ts', types: 'src/client/public.d.ts' },
};
const INPUTS = ['src', 'scripts/lib/build.mjs', 'scripts/lib/declarations.mjs', 'package-lock.json'];
const STAMP = '.stamp';
const KEEP_OLD_CHUNKS_MS = 24 * 60 * 60 * 1000;

/**
 * Bundles a program with its packages into files for Node.
 * @satisfies {import('esbuild').BuildOptions}
 */
export const FOR_NODE = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // Bundled CommonJS packages call require() for Node's own modules.
  banner: {
    js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);",
  },
  external: ['pg-native'],
};

/**
 * Few users need the Kubernetes client, which is as large as all other packages together: a clone runs without it, the published package
 * contains it.
 */
const LEFT_OUT_IF_MISSING = ['@kubernetes/client-node'];

/**
 * @param {string} base
 * @param {string} packageName
 */
const isPresent = (base, packageName) => existsSync(join(base, 'node_modules', packageName, 'package.json'));

/**
 * @typedef {{ base: string, outdir: string, entries: Record<string, string>, libraries?: Record<string, { source: string, types: string }>, inputs: string[] }} BuildPlan
 * @type {BuildPlan}
 */
const PLAN = { base: root, outdir: dist, entries: ENTRIES, libraries: LIBRARIES, inputs: INPUTS };

/** True if dist/ was built from the current sources. */
export function isBuilt({ base, outdir, inputs } = PLAN) {
  const stamp = readOrEmpty(join(outdir, STAMP));
  return stamp !== '' && stamp === statStamp(base, inputs);
}

/**
 * Bundles the sources into dist/; does nothing if it is up to date. Must be called under the set-up lock.
 * @param {{ force?: boolean, clean?: boolean }} [how] clean also removes the chunks of earlier builds at once
 */
export async function build({ force = false, clean = false } = {}, plan = PLAN) {
  if (!force && isBuilt(plan)) return;
  say(`building dist/ (${readOrEmpty(join(plan.outdir, STAMP)) === '' ? 'not built yet' : 'sources changed'})`);
  // Taken before the sources are read, so that a change in the meantime makes the next run build again.
  const stamp = statStamp(plan.base, plan.inputs);
  const { files, packages } = await bundle(plan);
  publish(plan, files, clean ? 0 : KEEP_OLD_CHUNKS_MS);
  writeAtomically(join(plan.outdir, 'licenses.txt'), licencesOf(plan.base, packages));
  writeAtomically(join(plan.outdir, STAMP), stamp);
  // The compile cache is keyed by file name, and chunks get new names: without this it would only grow.
  if (plan.outdir === dist) rmSync(compileCache, { recursive: true, force: true });
}

/** @param {BuildPlan} plan */
async function bundle({ base, outdir, entries, libraries = {} }) {
  const esbuild = await import('esbuild');
  try {
    const forPrograms = await Promise.all(Object.entries(libraries).map((each) => bundleLibrary(base, outdir, each)));
    const { outputFiles, metafile } = await esbuild.build({
      absWorkingDir: base,
      entryPoints: entries,
      outdir,
      write: false,
      ...FOR_NODE,
      external: [...FOR_NODE.external, ...LEFT_OUT_IF_MISSING.filter((name) => !isPresent(base, name))],
      metafile: true,
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      sourcemap: 'linked',
      sourcesContent: false,
      // Less text to read at each start; names are kept for readable stack traces.
      minifySyntax: true,
      minifyWhitespace: true,
      legalComments: 'none',
      plugins: [oneChunkForTheStart(base)],
      logLevel: 'silent',
    });
    return { files: [...outputFiles, ...forPrograms.flat()], packages: packagesIn(Object.keys(metafile.inputs)) };
  } catch (error) {
    const { errors } = /** @type {Partial<import('esbuild').BuildFailure>} */ (error);
    if (!errors) throw error;
    const messages = await esbuild.formatMessages(errors, { kind: 'error' });
    throw new SetupError(`the build failed:\n${messages.join('').trimEnd()}`);
  }
}

/**
 * @param {string} base
 * @param {string} outdir
 * @param {[name: string, library: { source: string, types: string }]} library
 */
async function bundleLibrary(base, outdir, [name, { source, types }]) {
  const esbuild = await import('esbuild');
  /** @satisfies {import('esbuild').BuildOptions} */
  const common = {
    absWorkingDir: base,
    entryPoints: [source],
    bundle: true,
    write: false,
    platform: 'node',
    // An older Node than the jar supports must get as far as the message that says so.
    target: 'node20',
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'silent',
  };
  const results = await Promise.all([
    esbuild.build({ ...common, format: 'esm', outfile: join(outdir, `${name}.js`) }),
    esbuild.build({
      ...common,
      format: 'cjs',
      outfile: join(outdir, `${name}.cjs`),
      // CommonJS has the file path instead of `import.meta.url`.
      define: { 'import.meta.url': '__filename' },
    }),
  ]);
  const declarations = Buffer.from(rollUp(join(base, types)));
  return [
    ...results.flatMap(({ outputFiles }) => outputFiles),
    // Compilers take the module format from the file name of the declarations.
    ...['d.ts', 'd.cts'].map((ending) => ({ path: join(outdir, `${name}.${ending}`), contents: declarations })),
  ];
}

/** Every jar loads this module at its start; all lazily loaded code comes later. */
const CORE = 'src/jar/index.ts';
const LAZY_IMPORT = /\bimport\(\s*['"](\.{1,2}\/[^'"]+\.ts)['"]/g;

/**
 * A bundler puts modules that the same entries need into one file, and every lazily loaded part is an entry. So the code of a start would
 * be scattered over as many files as there are combinations of such parts, and a start would read them all. This plugin makes each part
 * depend on the whole core, which is loaded by then anyway; so the core becomes one file.
 * @param {string} base
 * @returns {import('esbuild').Plugin}
 */
function oneChunkForTheStart(base) {
  const core = join(base, CORE);
  return {
    name: 'one-chunk-for-the-start',
    setup(builder) {
      const later = existsSync(core) ? loadedLater(base) : new Set();
      builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!later.has(path)) return undefined;
        const contents = `${readFileSync(path, 'utf8')}\nimport ${JSON.stringify(core)};\n`;
        return { contents, loader: 'ts', resolveDir: dirname(path) };
      });
    },
  };
}

/**
 * The modules below the command line that are imported dynamically.
 * @param {string} base
 */
function loadedLater(base) {
  const folders = ['kernel', 'control', 'services', 'jar'].map((folder) => join(base, 'src', folder));
  const later = new Set();
  for (const file of folders.flatMap((folder) => filesBelow(folder))) {
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(LAZY_IMPORT))
      later.add(join(dirname(file), target));
  }
  return later;
}

/**
 * Publishes a build beside the one it replaces. Chunks have a hash of their content in their name and are written first; each entry is then
 * replaced atomically. A process that starts in the meantime sees either the old or the new build, and a running jar can still load the
 * chunks that it has not needed so far.
 * @param {BuildPlan} plan
 * @param {{ path: string, contents: Uint8Array }[]} files
 * @param {number} keepOldChunksMs
 */
function publish({ outdir }, files, keepOldChunksMs) {
  const isEntry = (/** @type {{ path: string }} */ file) =>
    dirname(file.path) === outdir && !file.path.endsWith('.map');
  const chunks = join(outdir, 'chunks');
  mkdirSync(chunks, { recursive: true });
  for (const file of [...files.filter((each) => !isEntry(each)), ...files.filter(isEntry)]) {
    writeAtomically(file.path, file.contents);
  }
  const current = new Set(files.map((file) => basename(file.path)));
  for (const name of readdirSync(chunks)) {
    const age = Date.now() - statSync(join(chunks, name)).mtimeMs;
    if (!current.has(name) && age >= keepOldChunksMs) rmSync(join(chunks, name));
  }
}
