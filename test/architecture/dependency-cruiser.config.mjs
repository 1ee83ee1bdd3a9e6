import { ROOMS, WINGS } from './import-table.mjs';

/** @typedef {import('dependency-cruiser').IRegularForbiddenRuleType} Rule */

/** @type {(text: string) => string} */
const literal = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** @type {(name: string) => string} */
const packagePath = (name) => `node_modules/(@types/)?${literal(name)}/`;
/** @type {(entry: string) => string} */
const projectPath = (entry) => `^src/${literal(entry)}${entry.endsWith('.ts') ? '$' : '/'}`;

/** @type {(name: string, from: Rule['from'], to: Rule['to']) => Rule} */
const forbid = (name, from, to) => ({ name, severity: 'error', from, to });

const wingRules = WINGS.map(({ wing, wings }) =>
  forbid(
    `${wing}-wing`,
    { path: projectPath(wing) },
    { path: '^src/', pathNot: [wing, 'domain', ...wings].map(projectPath) },
  ),
);

const roomRules = ROOMS.flatMap(({ room, project, packages, pure }) => {
  const from = { path: projectPath(room) };
  const allowed = [room, 'domain', ...project].map(projectPath);
  return [
    forbid(`${room}-project`, from, { path: '^src/', pathNot: allowed }),
    forbid(`${room}-packages`, from, {
      path: 'node_modules/',
      pathNot: packages.map(packagePath),
    }),
    ...(pure ? [forbid(`${room}-pure`, from, { dependencyTypes: ['core'] })] : []),
  ];
});

/** Every rule that `imports.test.ts` holds the sources to. */
export const FORBIDDEN = [
  ...wingRules,
  ...roomRules,
  forbid(
    'config-imports-settings',
    { path: '^src/(config|(storage-)?settings|setting-readers)\\.ts$' },
    { path: '^src/', pathNot: '^src/((storage-)?settings|setting-readers)\\.ts$' },
  ),
  forbid(
    'settings-are-for-config',
    { pathNot: '^src/(config|(storage-)?settings)\\.ts$' },
    { path: '^src/((storage-)?settings|setting-readers)\\.ts$' },
  ),
  forbid(
    'settings-come-from-above',
    {
      pathNot:
        '^src/(app|run-server|unknown-settings|open-service|open-server|open-phone|guard-server|shut-down)\\.ts$',
    },
    { path: '^src/config\\.ts$' },
  ),
  forbid('main-is-the-top', {}, { path: '^src/main\\.ts$' }),
  forbid('app-is-for-main', { pathNot: '^src/run-server\\.ts$' }, { path: '^src/app\\.ts$' }),
  forbid(
    'node-is-asked-first',
    { path: '^src/(node-version|environment|listen-error)\\.ts$' },
    { path: '^src/' },
  ),
  forbid('no-cycle', {}, { circular: true }),
  forbid('no-orphan', { orphan: true, pathNot: '\\.d\\.ts$' }, {}),
  forbid('no-test-in-source', { path: '^src/' }, { path: '^(test|bench|models)/' }),
  forbid(
    'no-development-package',
    { path: '^src/' },
    {
      dependencyTypes: ['npm-dev'],
      dependencyTypesNot: ['type-only'],
    },
  ),
  forbid(
    'no-undeclared-package',
    { path: '^src/' },
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  ),
  forbid('no-unresolved', {}, { couldNotResolve: true }),
];
