/**
 * What candidates say: lines of a phone agent, and Harvard sentences (IEEE Recommended Practice for
 * Speech Quality Measurements, 1969). Numbers are written as words, so that no normaliser is judged.
 */
export const SENTENCES: readonly string[] = [
  'Thank you for calling, this is the service desk. How can I help you today?',
  'Your appointment is confirmed for Thursday at half past two, with Doctor Morgan.',
  'I am sorry about that. Let me check what happened with your order.',
  'Could you please spell your last name, and tell me the code on the letter?',
  'The total comes to forty two dollars and fifty cents, including delivery.',
  'You can press one for billing, or stay on the line to speak with someone.',
  'Please have your account number ready, it starts with the letters B and K.',
  'We can send a technician tomorrow morning, or would the afternoon suit you better?',
  'Your call may be recorded, so that we can improve our service.',
  'Is there anything else I can do for you? If not, have a wonderful evening.',
  'Glue the sheet to the dark blue background.',
  'These days a chicken leg is a rare dish.',
  'Rice is often served in round bowls.',
  'Help the woman get back to her feet.',
  'The boy was there when the sun rose.',
  'A pot of tea helps to pass the evening.',
];
