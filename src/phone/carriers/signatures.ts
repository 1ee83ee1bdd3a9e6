import type { CarrierName } from '../../domain/carrier.ts';
import { verifyGenesysSignature } from './genesys/genesys-signature.ts';
import { plivoSignature } from './plivo/plivo-signature.ts';
import { signalwireSignature } from './signalwire/signalwire-signature.ts';
import type { CarrierSignature } from './signed-request.ts';
import { SpentNonces } from './spent-nonces.ts';
import { telnyxSignature } from './telnyx/telnyx-signature.ts';
import { twilioSignature } from './twilio/twilio-signature.ts';
import { verifyVonageSignature } from './vonage/vonage-signature.ts';

const vonageSignature: CarrierSignature = {
  isOnUpgrades: true,
  isUpgradeSingleUse: true,
  verify: ({ headers, body, nowMs }, secret, spent) =>
    verifyVonageSignature(
      { authorization: headers.authorization, ...(body.length > 0 && { body }) },
      { secret, nowMs, ...(spent && { spent }) },
    ),
};

const genesysSignature: CarrierSignature = {
  isOnUpgrades: true,
  isUpgradeSingleUse: true,
  verify: ({ url, headers, nowMs }, secret, spent = new SpentNonces()) => {
    const { host } = new URL(url);
    // As it came: a parser would resolve and encode parts of it.
    const requestTarget = url.slice(url.indexOf('/', url.indexOf('://') + 3));
    verifyGenesysSignature({ headers, requestTarget, authority: host }, { secret, nowMs, spent });
  },
};

/** One row a carrier that signs what it sends. */
export const SIGNATURES: Readonly<Partial<Record<CarrierName, CarrierSignature>>> = {
  twilio: twilioSignature,
  signalwire: signalwireSignature,
  telnyx: telnyxSignature,
  plivo: plivoSignature,
  vonage: vonageSignature,
  genesys: genesysSignature,
};
