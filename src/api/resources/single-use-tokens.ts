import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { TOKEN_PURPOSES, type TokenPurpose } from '../../domain/account.ts';
import type { SingleUseTokens } from '../../service/account/single-use-tokens.ts';

const TokenParams = Type.Object({
  token_type: Type.Unsafe<TokenPurpose>({
    type: 'string',
    enum: TOKEN_PURPOSES,
    description:
      "What the token opens: tts_websocket, any of the websockets of text-to-speech; call_stream, a carrier's media stream; calls_attach, the calls that wait for a bot, or one of them; calls_transfer, the same, and passing the caller on. The key must be allowed the same.",
  }),
});

const TokenRecord = Type.Object(
  { token: Type.String({ description: 'Goes into single_use_token, in the query.' }) },
  { title: 'SingleUseToken' },
);

/** `POST /v1/single-use-token/{token_type}` (PROTOCOL §3.8): a token that opens one connection. */
export function singleUseTokensRoutes(app: FastifyInstance, tokens: SingleUseTokens): void {
  // In a scope of its own, because of its parser.
  void app.register(async (scope) => {
    // There is no body, but some clients announce JSON all the same, which must not be unreadable.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => {
      payload.resume();
      done(null);
    });
    scope.withTypeProvider<TypeBoxTypeProvider>().post(
      '/v1/single-use-token/:token_type',
      {
        schema: {
          summary: 'Make a token that opens one connection within fifteen minutes',
          access: { scope: 'text_to_speech' },
          tags: ['Single-use tokens'],
          params: TokenParams,
          errors: ['account_limit_reached'],
          response: { 200: TokenRecord },
        },
      },
      async (request, reply) => {
        const caller = request.caller;
        reply.header('cache-control', 'no-store');
        return { token: await tokens.issue(caller, request.params.token_type) };
      },
    );
  });
}
