/** Characters set aside, as `Reservation` does it. */
interface SetAside {
  deliver(characters: number): Promise<void>;
  settle(characters: number): Promise<void>;
  refund(): Promise<void>;
}

/**
 * Charges characters that were set aside once their first audio is sent, and gives them back when the
 * end comes before that.
 *
 * @param onHeard called once, when the first audio is sent.
 */
export function chargedWhenHeard(
  reservation: SetAside,
  characters: number,
  onHeard?: () => void,
): { hear(): void; end(): Promise<void> } {
  let isHeard = false;
  return {
    hear: () => {
      if (isHeard) return;
      isHeard = true;
      onHeard?.();
      // Not awaited: the audio is on its way, and a slow database must not hold it up.
      void reservation.deliver(characters);
    },
    end: () => (isHeard ? reservation.settle(characters) : reservation.refund()),
  };
}
