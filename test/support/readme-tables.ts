import { settingsTable } from '../../src/config.ts';
import { errorTable } from '../../src/domain/errors.ts';

/** The settings as the README prints them. */
export function settingsMarkdown(): string {
  const rows = settingsTable().map(
    ({ variable, defaultText, description }) =>
      `| \`${variable}\` | ${defaultText} | ${description} |`,
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

/** The error table as the README prints it. */
export function errorsMarkdown(): string {
  const rows = errorTable().map(
    ([code, { http, close, type, retry }]) =>
      `| \`${code}\` | ${http} | ${close} | \`${type}\` | ${retry ? 'yes' : 'no'} |`,
  );
  return [
    '| Code | HTTP | Close | Type | May the same succeed later? |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
