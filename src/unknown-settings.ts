import { settingsTable } from './config.ts';

const PREFIX = 'SIDETONE_';
/** Read by the command line and by the set-up, and often set beside the server's own. */
const READ_ELSEWHERE = ['SIDETONE_URL', 'SIDETONE_FETCH_FROM'];

/** A sentence for each variable that looks like a setting and is none, with the setting that comes nearest. */
export function unknownSettings(environment: NodeJS.ProcessEnv): readonly string[] {
  const known = [...settingsTable().map(({ variable }) => variable), ...READ_ELSEWHERE];
  return Object.keys(environment)
    .filter((variable) => variable.startsWith(PREFIX) && !known.includes(variable))
    .map((variable) => `${variable} is no setting. Did you mean ${nearest(variable, known)}?`);
}

function nearest(word: string, candidates: readonly string[]): string {
  const ranked = candidates.map((candidate) => ({
    candidate,
    edits: editsBetween(word, candidate),
  }));
  ranked.sort((one, other) => one.edits - other.edits);
  return ranked[0]?.candidate ?? '';
}

/** Levenshtein's distance: letters to insert, delete or replace. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, wanted] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
