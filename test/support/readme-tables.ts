import { SERVICE_EVENT_SCHEMAS } from '../../src/api/documents/service-event-schemas.ts';
import { httpNames } from '../../src/api/http/wire-error.ts';
import type { JsonSchema } from '../../src/api/wire/json-schema.ts';
import { settingsTable } from '../../src/config.ts';
import { TIERS } from '../../src/domain/account.ts';
import { OUTPUT_FORMATS } from '../../src/domain/audio.ts';
import { type ErrorCode, errorTable } from '../../src/domain/errors.ts';
import { MODELS } from '../../src/domain/model.ts';
import { TIER_LIMITS } from '../../src/service/account/tiers.ts';

/** The settings as the documents print them. */
export function settingsMarkdown(): string {
  const rows = settingsTable().map(
    ({ variable, defaultText, description }) =>
      `| \`${variable}\` | ${defaultText} | ${description} |`,
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

/** The error table as the documents print it. */
export function errorsMarkdown(): string {
  const rows = errorTable().map(
    ([code, { http, close, type, retry }]) =>
      `| \`${code}\` | ${close} | ${http} | ${httpNamesText(code)} | \`${type}\` | ${retry ? 'yes' : 'no'} |`,
  );
  return [
    '| Code | Close | HTTP | `code`, `status` there | Type | May the same succeed later? |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** The names of an error on HTTP; nothing where both are its code. */
function httpNamesText(error: ErrorCode): string {
  const [code, status] = httpNames(error);
  return code === error && status === error ? '' : `\`${code}\`, \`${status}\``;
}

/** What each tier allows, as the documents print it. */
export function tiersMarkdown(): string {
  const rows = TIERS.map((tier) => {
    const { charactersAMonth, concurrency, voices, recordingMebibytes } = TIER_LIMITS[tier];
    const characters = charactersAMonth.toLocaleString('en').replaceAll(',', ' ');
    return `| \`${tier}\` | ${characters} | ${concurrency} | ${voices} | ${recordingMebibytes} MiB |`;
  });
  return [
    '| Tier | Characters a month | Requests at once | Voices of its own | Their recordings |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** The output formats as the documents print them: those of one kind and tier in a row. */
export function formatsMarkdown(): string {
  const groups = new Map<string, string[]>();
  for (const { name, contentType, minimumTier, isStreamable } of OUTPUT_FORMATS) {
    const tier = minimumTier === TIERS[0] ? 'any' : `\`${minimumTier}\` or above`;
    const group = `| \`${contentType}\` | ${tier} | ${isStreamable ? 'yes' : 'no'} |`;
    groups.set(group, [...(groups.get(group) ?? []), `\`${name}\``]);
  }
  return [
    '| Formats | Content type | Tier | Streamed |',
    '|---|---|---|---|',
    ...[...groups].map(([group, names]) => `| ${names.join(', ')} ${group}`),
  ].join('\n');
}

/** Which ids each model answers to, as the documents print them. */
export function modelsMarkdown(): string {
  const rows = MODELS.map(({ modelId, description, aliases }) => {
    const ids = aliases.map((id) => `\`${id}\``).join(', ');
    return `| \`${modelId}\` | ${description} | ${ids} |`;
  });
  return ['| Model | For | Also answers to |', '|---|---|---|', ...rows].join('\n');
}

/** What webhooks are told, as the documents print it. */
export function eventsMarkdown(): string {
  const rows = Object.entries(SERVICE_EVENT_SCHEMAS).map(([type, schema]) => {
    const { description, properties } = schema as JsonSchema;
    const fields = Object.keys(properties?.['data']?.properties ?? {}).map((name) => `\`${name}\``);
    return `| \`${type}\` | ${description} | ${fields.join(', ')} |`;
  });
  return ['| `type` | When | Fields of `data` |', '|---|---|---|', ...rows].join('\n');
}
