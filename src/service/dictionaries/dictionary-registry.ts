import { randomUUID } from 'node:crypto';
import { BoundedMap } from '../../domain/bounded-map.ts';
import type {
  Dictionary,
  DictionaryLocator,
  DictionaryRule,
  DictionaryVersion,
} from '../../domain/dictionary.ts';
import { SpeechError } from '../../domain/errors.ts';
import { RuleIndex } from '../../synthesis/text/dictionary/rule-index.ts';
import type {
  DictionaryLimits,
  DictionaryPage,
  DictionaryStore,
} from '../storage/dictionary-store.ts';
import { assertUsable, sameTextKey } from './checked-rules.ts';

/** Rules that stay ready to be used, over all dictionaries of the process: about 20 MB of them. */
const MAX_READY_RULES = 50_000;
/** Attempts to add a version to a dictionary that others are changing at the same time. */
const MAX_ATTEMPTS = 5;
/** Of one account. A hundred dictionaries, and all their versions, are a few seconds of a backup. */
const LIMITS: DictionaryLimits = {
  dictionaries: 100,
  totalBytes: 64 * 2 ** 20,
  // Of one dictionary: twenty changes back, unless they are very large.
  versions: 20,
  versionBytes: 16 * 2 ** 20,
};
const LOCATORS_PARAM = 'pronunciation_dictionary_locators';
const MAX_LOCATORS = 3;

export interface NewDictionary {
  readonly name: string;
  readonly description: string | null;
  readonly rules: readonly DictionaryRule[];
}

export interface DictionaryRegistryOptions {
  readonly store: DictionaryStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A version that is ready to be used. */
interface ReadyIndex {
  readonly index: RuleIndex;
  readonly ruleCount: number;
}

/** The pronunciation dictionaries of accounts, and what makes speech of them. */
export class DictionaryRegistry {
  readonly #store: DictionaryStore;
  readonly #now: () => number;
  /** By version: versions never change. */
  readonly #ready = new BoundedMap<string, ReadyIndex>(
    MAX_READY_RULES,
    ({ ruleCount }) => ruleCount,
  );

  constructor({ store, now }: DictionaryRegistryOptions) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * @param given whose rules have been checked.
   * @throws SpeechError `account_limit_reached`.
   */
  async create(accountId: string, given: NewDictionary): Promise<Dictionary> {
    const version: DictionaryVersion = {
      versionId: randomUUID(),
      dictionaryId: randomUUID(),
      rules: given.rules,
      createdAtMs: this.#now(),
    };
    const dictionary: Dictionary = {
      dictionaryId: version.dictionaryId,
      accountId,
      name: given.name,
      description: given.description,
      createdAtMs: version.createdAtMs,
      archivedAtMs: null,
      latestVersionId: version.versionId,
      latestRuleCount: given.rules.length,
    };
    const addition = await this.#store.add(dictionary, version, LIMITS);
    if (addition === 'too-many-dictionaries') throw tooManyDictionaries();
    if (addition === 'too-many-bytes') throw tooManyBytes();
    return dictionary;
  }

  list(accountId: string, page: DictionaryPage): Promise<readonly Dictionary[]> {
    return this.#store.list(accountId, page);
  }

  /** @throws SpeechError `not_found`. */
  async find(accountId: string, dictionaryId: string): Promise<Dictionary> {
    const dictionary = await this.#store.find(accountId, dictionaryId);
    return dictionary ?? Promise.reject(noSuchDictionary(dictionaryId));
  }

  /**
   * @param versionId the latest when absent.
   * @throws SpeechError `not_found`.
   */
  async rules(
    accountId: string,
    dictionaryId: string,
    versionId?: string,
  ): Promise<readonly DictionaryRule[]> {
    const { latestVersionId } = await this.find(accountId, dictionaryId);
    return (await this.#versionOf(dictionaryId, versionId ?? latestVersionId)).rules;
  }

  /** @throws SpeechError `not_found`. */
  async edit(
    accountId: string,
    dictionaryId: string,
    change: { readonly name?: string | undefined; readonly isArchived?: boolean | undefined },
  ): Promise<Dictionary> {
    const { name, isArchived } = change;
    const archivedAtMs = isArchived === undefined ? undefined : isArchived ? this.#now() : null;
    await this.#store.change(accountId, dictionaryId, { name, archivedAtMs });
    return this.find(accountId, dictionaryId);
  }

  /**
   * Removes a dictionary with all its versions. Requests that name it are refused from then on, in
   * every process; connections that have read it go on speaking with it.
   *
   * @throws SpeechError `not_found`.
   */
  async remove(accountId: string, dictionaryId: string): Promise<void> {
    if (await this.#store.remove(accountId, dictionaryId)) return;
    throw noSuchDictionary(dictionaryId);
  }

  /**
   * Makes a new version. Old versions are kept as far as `LIMITS` says, so that locators which name
   * them go on working; a connection keeps what it has read, whatever is removed meanwhile. Changes made at the same time follow one another; none is lost.
   *
   * @param change makes the new rules of the latest ones.
   * @throws SpeechError `not_found`, `system_busy`, `account_limit_reached`; `invalid_input_message`
   *   for too many rules.
   */
  async changeRules(
    accountId: string,
    dictionaryId: string,
    change: (rules: readonly DictionaryRule[]) => readonly DictionaryRule[],
  ): Promise<DictionaryVersion> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const { latestVersionId } = await this.find(accountId, dictionaryId);
      const latest = await this.#versionOf(dictionaryId, latestVersionId);
      const rules = change(latest.rules);
      assertUsable(rules, (index) => `for "${rules[index]?.stringToReplace}"`);
      // Versions are kept by age, so each is younger than the one before, whatever the clock says.
      const createdAtMs = Math.max(this.#now(), latest.createdAtMs + 1);
      const version = { versionId: randomUUID(), dictionaryId, rules, createdAtMs };
      const addition = await this.#store.addVersion(accountId, version, latestVersionId, LIMITS);
      if (addition === 'added') return version;
      if (addition === 'too-many-bytes') throw tooManyBytes();
    }
    throw new SpeechError('system_busy', 'Others are changing this dictionary. Try again.');
  }

  /**
   * What a request's `pronunciation_dictionary_locators` mean, for the front end. A request may end
   * before its first chunk asks for the result; a failure that nobody hears of is no failure then.
   *
   * @param locators in the order of the request.
   * @throws SpeechError `not_found` that names the one which does not exist; `invalid_input_message`
   *   for more than three.
   */
  resolve(
    accountId: string,
    locators: readonly DictionaryLocator[],
  ): Promise<readonly RuleIndex[]> {
    const resolved = this.#indexes(accountId, locators);
    resolved.catch(() => undefined);
    return resolved;
  }

  async #indexes(
    accountId: string,
    locators: readonly DictionaryLocator[],
  ): Promise<readonly RuleIndex[]> {
    if (locators.length > MAX_LOCATORS) {
      throw new SpeechError(
        'invalid_input_message',
        `A request can use ${MAX_LOCATORS} pronunciation dictionaries, not ${locators.length}.`,
        { param: LOCATORS_PARAM },
      );
    }
    return Promise.all(locators.map((locator) => this.#index(accountId, locator)));
  }

  async #index(accountId: string, { dictionaryId, versionId }: DictionaryLocator) {
    // Asked for every time: whose it is, and which version is the latest, may be another by now.
    const dictionary = await this.#store.find(accountId, dictionaryId);
    if (!dictionary) throw noSuchDictionary(dictionaryId, LOCATORS_PARAM);
    const wanted = versionId ?? dictionary.latestVersionId;
    const key = `${dictionaryId} ${wanted}`;
    const ready = this.#ready.use(key);
    if (ready) return ready.index;
    const { rules } = await this.#versionOf(dictionaryId, wanted, LOCATORS_PARAM);
    const index = new RuleIndex(rules);
    this.#ready.set(key, { index, ruleCount: rules.length });
    return index;
  }

  async #versionOf(
    dictionaryId: string,
    versionId: string,
    param = 'version_id',
  ): Promise<DictionaryVersion> {
    const version = await this.#store.findVersion(dictionaryId, versionId);
    if (version) return version;
    throw new SpeechError(
      'not_found',
      `The pronunciation dictionary "${dictionaryId}" has no version "${versionId}", or not any more: the latest ${LIMITS.versions} are kept.`,
      { param },
    );
  }
}

/** Adds rules after those there are; one for the same text takes the place of the one there was. */
export function withRules(
  rules: readonly DictionaryRule[],
  added: readonly DictionaryRule[],
): readonly DictionaryRule[] {
  const byText = new Map(rules.map((rule) => [sameTextKey(rule), rule]));
  for (const rule of added) byText.set(sameTextKey(rule), rule);
  return [...byText.values()];
}

/** Takes out every rule for one of the texts, as it is written in the rule. */
export function withoutRules(
  rules: readonly DictionaryRule[],
  strings: readonly string[],
): readonly DictionaryRule[] {
  const removed = new Set(strings);
  return rules.filter(({ stringToReplace }) => !removed.has(stringToReplace));
}

function tooManyDictionaries(): SpeechError {
  return new SpeechError(
    'account_limit_reached',
    `The account has ${LIMITS.dictionaries} pronunciation dictionaries, archived ones included, and can have no more. Delete one that nobody uses: DELETE /v1/pronunciation-dictionaries/{id}.`,
  );
}

function tooManyBytes(): SpeechError {
  return new SpeechError(
    'account_limit_reached',
    `The pronunciation dictionaries of the account, with their older versions, would have more than ${LIMITS.totalBytes / 2 ** 20} MiB of rules. Delete one that nobody uses, or take rules out.`,
    { param: 'rules' },
  );
}

function noSuchDictionary(dictionaryId: string, param = 'pronunciation_dictionary_id') {
  return new SpeechError(
    'not_found',
    `There is no pronunciation dictionary with the id "${dictionaryId}": list them with GET /v1/pronunciation-dictionaries.`,
    { param },
  );
}
