import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  errorsMarkdown,
  eventsMarkdown,
  formatsMarkdown,
  modelsMarkdown,
  settingsMarkdown,
  tiersMarkdown,
} from '../support/readme-tables.ts';
import { ROOMS, WINGS } from './import-table.mjs';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('the documents', () => {
  it('print the settings as the code has them', () => {
    expect(read('src/SETTINGS.md')).toContain(settingsMarkdown());
  });

  it('print the error table as the code has it', () => {
    expect(read('src/api/ERRORS.md')).toContain(errorsMarkdown());
  });

  it('print the tiers and the output formats as the code has them', () => {
    expect(read('src/api/REST.md')).toContain(tiersMarkdown());
    expect(read('src/api/REST.md')).toContain(formatsMarkdown());
  });

  it('print the models as the code has them, with the ids that they answer to', () => {
    expect(read('src/api/REST.md')).toContain(modelsMarkdown());
  });

  it('print the events of webhooks as the code has them', () => {
    expect(read('src/service/WEBHOOKS.md')).toContain(eventsMarkdown());
  });

  it('print who may import whom', () => {
    const map = read('src/README.md').split('\n');
    const row = (name: string) => map.filter((line) => line.startsWith(`| \`${name}\` |`)).join();
    for (const { wing, wings } of WINGS) {
      for (const name of wings) expect(row(wing)).toContain(`\`${name}\``);
    }
    for (const { room, project, packages } of ROOMS) {
      for (const name of [...project, ...packages]) expect(row(room)).toContain(`\`${name}\``);
    }
  });
});
