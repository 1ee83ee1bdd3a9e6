// @ts-check
throw new Error('espeak-ng could not be loaded');
