import { IMPORT_TABLE } from './import-table.mjs';

/** @typedef {import('dependency-cruiser').IRegularForbiddenRuleType} Rule */

/** @type {(text: string) => string} */
const literal = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** @type {(name: string) => string} */
const packagePath = (name) => `node_modules/(@types/)?${literal(name)}/`;
/** @type {(entry: string) => string} */
const projectPath = (entry) => `^src/${literal(entry)}${entry.endsWith('.ts') ? '$' : '/'}`;

/** @type {(name: string, from: Rule['from'], to: Rule['to']) => Rule} */
const forbid = (name, from, to) => ({ name, severity: 'error', from, to });

const folderRules = IMPORT_TABLE.flatMap(({ folder, project, packages, pure }) => {
  const from = { path: projectPath(folder) };
  const allowed = [folder, 'domain', ...project].map(projectPath);
  return [
    forbid(`${folder}-project`, from, { path: '^src/', pathNot: allowed }),
    forbid(`${folder}-packages`, from, {
      path: 'node_modules/',
      pathNot: packages.map(packagePath),
    }),
    ...(pure ? [forbid(`${folder}-pure`, from, { dependencyTypes: ['core'] })] : []),
  ];
});

/** Every rule that `imports.test.ts` holds the sources to. */
export const FORBIDDEN = [
  ...folderRules,
  forbid('config-imports-nothing', { path: '^src/config\\.ts$' }, { path: '^src/' }),
  forbid(
    'settings-come-from-above',
    { pathNot: '^src/(app|main|open-service|open-phone)\\.ts$' },
    { path: '^src/config\\.ts$' },
  ),
  forbid('main-is-the-top', {}, { path: '^src/main\\.ts$' }),
  forbid('app-is-for-main', { pathNot: '^src/main\\.ts$' }, { path: '^src/app\\.ts$' }),
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
