import type Type from 'typebox';
import { Compile } from 'typebox/compile';
import { type Document, isMap, isPair, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { schemaComplaints } from './schema-complaints.ts';
import type { YamlComplaint, YamlPath } from './yaml-complaint.ts';

/** A file cannot be used. The message names every fault, each with file, line and field. */
export class YamlError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'YamlError';
    this.problems = problems;
  }
}

/** The text of a YAML file, and which lines its values stand in. */
export class YamlFile {
  readonly #fileName: string;
  readonly #lines = new LineCounter();
  readonly #document: Document;

  /**
   * @param fileName as complaints call it.
   * @throws YamlError when the text is not YAML, or repeats a key.
   */
  constructor(text: string, fileName: string) {
    this.#fileName = fileName;
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    const faults = [...this.#document.errors, ...this.#document.warnings];
    if (faults.length === 0) return;
    throw new YamlError(
      faults.map(({ message, pos: [start] }) => this.#at(start, `this is not YAML: ${message}`)),
    );
  }

  /** @throws YamlError that lists whatever does not fit the schema. */
  read<T extends Type.TSchema>(schema: T): Type.Static<T> {
    const value = this.#value();
    const validator = Compile(schema);
    if (validator.Check(value)) return value;
    throw this.refusal(schemaComplaints(schema, value, validator.Errors(value)));
  }

  /** @returns the error that tells of each complaint where it is. */
  refusal(complaints: readonly YamlComplaint[]): YamlError {
    return new YamlError(
      complaints.map(({ path, message }) =>
        this.#at(this.#offsetOf(path), path.length > 0 ? `${written(path)} ${message}` : message),
      ),
    );
  }

  #value(): unknown {
    try {
      return this.#document.toJS();
    } catch (cause) {
      // Aliases that stand for nothing, or that multiply without end.
      throw new YamlError([this.#at(0, `this is not YAML: ${(cause as Error).message}`)]);
    }
  }

  #at(offset: number, sentence: string): string {
    return `${this.#fileName}:${this.#lines.linePos(offset).line}: ${sentence}`;
  }

  /** Of the deepest value on the way that is there at all. */
  #offsetOf(path: YamlPath): number {
    let node: unknown = this.#document.contents;
    let offset = 0;
    for (const step of path) {
      const entry = entryOf(node, step);
      if (!entry) break;
      node = entry.value;
      offset = entry.start.range?.[0] ?? offset;
    }
    return offset;
  }
}

/** What stands under a key or at a position, and where it starts: at its key, if it has one. */
function entryOf(parent: unknown, step: string | number) {
  if (isSeq(parent)) {
    const value = parent.items[Number(step)] as Node | undefined;
    return value && { value, start: value };
  }
  if (!isMap(parent)) return undefined;
  const pair = parent.items.find((item) => isPair(item) && String(item.key) === String(step));
  return pair && { value: pair.value, start: pair.key as Node };
}

/** Such as `lines[0].bot.dial.url`. */
function written(path: YamlPath): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`,
    )
    .join('');
}
