/**
 * Attempts at a time: few, to be gentle with receivers and with the thread of the audio. Webhooks
 * whose last attempt failed have places of their own, so that receivers that hang hold up nobody
 * else, and one webhook never has all the places.
 */
export const LANES = [
  { failing: false, places: 6, placesEach: 3 },
  { failing: true, places: 2, placesEach: 1 },
] as const;
export type Lane = (typeof LANES)[number];

/** One attempt's place, from its start until it has rested. */
export interface Place {
  readonly lane: Lane;
  readonly webhookId: string;
}

/** Which places are taken, and for which webhooks. */
export class AttemptPlaces {
  readonly #taken = new Set<Place>();

  take(lane: Lane, webhookId: string): Place {
    const place = { lane, webhookId };
    this.#taken.add(place);
    return place;
  }

  leave(place: Place): void {
    this.#taken.delete(place);
  }

  /** How many places of a lane are free. */
  free(lane: Lane): number {
    return lane.places - this.#in(lane).length;
  }

  /** Webhooks that have as many places of a lane as one may have. */
  fullWebhookIds(lane: Lane): string[] {
    const counts = new Map<string, number>();
    for (const { webhookId } of this.#in(lane)) {
      counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    }
    return [...counts].filter(([, count]) => count >= lane.placesEach).map(([id]) => id);
  }

  #in(lane: Lane): Place[] {
    return [...this.#taken].filter((place) => place.lane === lane);
  }
}
