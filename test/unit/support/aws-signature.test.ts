import { describe, expect, it } from 'vitest';
import { signatureOf } from '../../support/aws-signature.ts';

describe('signatureOf', () => {
  it("computes the example of Amazon's API reference", () => {
    const request = {
      method: 'GET',
      path: '/test.txt',
      query: '',
      headers: {
        host: 'examplebucket.s3.amazonaws.com',
        range: 'bytes=0-9',
        'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        'x-amz-date': '20130524T000000Z',
      },
    };
    const signature = signatureOf(
      request,
      ['host', 'range', 'x-amz-content-sha256', 'x-amz-date'],
      '20130524/us-east-1/s3/aws4_request',
      'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    );
    expect(signature).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41');
  });
});
