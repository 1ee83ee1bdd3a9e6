import type { Menu } from './menu.ts';
import { readMenu } from './read-menu.ts';

/**
 * The menu that comes with the server, in the form of a menu file. It is kept in the code because
 * only code is built and shipped.
 */
export const BUILT_IN_MENU_YAML = `# Greets a caller, reads back what is typed, and says goodbye.
timeout:
  say: I did not hear a key.
  retries: 2
  goto: goodbye
invalid:
  say: That key does nothing here.
states:
  welcome:
    say: >
      Hello, and thank you for calling. This is Sidetone.
      To have an order number read back to you, press 1.
      To hear when we are open, press 2.
      To end the call, press 9.
    keys: { "1": order, "2": hours, "9": goodbye }
  order:
    say: Please type your order number, and then the pound key.
    collect: { into: order, min_digits: 3, max_digits: 12 }
    goto: read_back
    invalid:
      say: An order number has three to twelve digits.
  read_back:
    say: You typed {order}. If that is right, press 1. To type it again, press 2.
    keys: { "1": thanks, "2": order }
  thanks:
    say: Thank you. Order {order} is on its way.
    goto: anything_else
  hours:
    say: We are open Monday to Friday, from 9:00 am to 5:30 pm.
    goto: anything_else
  anything_else:
    say: For the main menu, press the star key. Otherwise, just hang up.
    keys: { "*": welcome }
  goodbye:
    say: Thank you for calling. Goodbye.
    hang_up: true
`;

/** The same, read. */
export const builtInMenu: Menu = readMenu(BUILT_IN_MENU_YAML, 'the built-in menu');
