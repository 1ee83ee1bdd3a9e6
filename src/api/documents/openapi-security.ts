import type { Access, KeyAccess } from '../identity/access.ts';
import { KEY_PLACES, type KeyPlace, TOKEN_PLACES } from '../identity/key-places.ts';
import type { OpenApiDocument, Operation } from './openapi-document.ts';

/** What a request to a route must carry: any one of the places that its door searches. */
export function securityOf(access: Access | undefined): NonNullable<Operation['security']> {
  if (!wantsKey(access)) return [];
  const schemes = placesOf(access).map(({ scheme }) => ({ [scheme]: [] }));
  return access.key === 'optional' ? [...schemes, {}] : schemes;
}

/** Every place that one of some routes searches. */
export function securitySchemes(
  routes: ReadonlyArray<Access | undefined>,
): OpenApiDocument['components']['securitySchemes'] {
  const places = routes.filter(wantsKey).flatMap(placesOf);
  return Object.fromEntries(
    places.map(({ scheme, in: place, name, description }) => [
      scheme,
      { type: 'apiKey', in: place, name, description },
    ]),
  );
}

function placesOf({ door = 'rest', tokens }: KeyAccess): readonly KeyPlace[] {
  return [...KEY_PLACES[door], ...(tokens === undefined ? [] : TOKEN_PLACES[door])];
}

function wantsKey(access: Access | undefined): access is KeyAccess {
  return typeof access === 'object';
}
