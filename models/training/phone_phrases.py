"""Sentences of phone calls, composed at random: our own text, under the project's licence."""

from random import Random

FIRST_NAMES = (
    "James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara Richard "
    "Susan Joseph Jessica Thomas Sarah Charles Karen Daniel Lisa Matthew Nancy Anthony Betty Mark "
    "Sandra Steven Ashley Paul Emily Andrew Kimberly Joshua Donna Kenneth Michelle Kevin Carol Brian "
    "Amanda George Melissa Timothy Deborah Ronald Stephanie Jason Rebecca Edward Laura Priya Ahmed "
    "Fatima Wei Yuki Carlos Sofia Omar Ingrid Kwame Chloe Zoe Hugo Thea Oscar Ruth Felix Vera"
).split()
LAST_NAMES = (
    "Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez "
    "Gonzalez Wilson Anderson Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez "
    "Clark Ramirez Lewis Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores "
    "Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter Roberts Patel Chowdhury Fischer "
    "Kowalski O'Brien Svensson Dubois Rossi Yamamoto Okafor Petrov Vaughan Hughes Jennings Quigley"
).split()
PLACES = (
    "Springfield,Riverside,Portland,Manchester,Boston,Leeds,Chicago,Dublin,Denver,Bristol,Austin,"
    "Glasgow,Seattle,Oxford,Phoenix,Cardiff,Atlanta,Brighton,Memphis,York,Houston,Norwich,Miami,"
    "Cambridge,San Diego,Edinburgh,Charlotte,Birmingham,New Orleans,Toronto,Sydney,Auckland"
).split(",")
STREETS = (
    "Maple Street,Oak Avenue,Church Road,Park Lane,Station Road,Main Street,Elm Drive,Mill Lane,"
    "High Street,Lake View,Cedar Court,King Street,Washington Boulevard,Hillside Close,Fifth Avenue"
).split(",")
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = (
    "January February March April May June July August September October November December"
).split()
THINGS = (
    "order,parcel,invoice,appointment,booking,account,prescription,refund,delivery,subscription,"
    "claim,policy,reservation,ticket,payment,statement,contract,application,membership,repair,"
    "package,password,voucher,warranty,upgrade,replacement,document,form,receipt,card"
).split(",")
PEOPLE = (
    "doctor,manager,technician,driver,nurse,colleague,supervisor,assistant,engineer,dentist,"
    "receptionist,adviser,accountant,neighbour,landlord,specialist,plumber,electrician,teacher"
).split(",")
STATES = (
    "ready,delayed,confirmed,cancelled,on its way,almost finished,still open,already paid,overdue,"
    "out of stock,available,fully booked,under review,complete,not valid,in the system,on hold"
).split(",")
SHORT = (
    "Yes.,No.,Okay.,Sure.,Right.,Thanks.,Hello?,Hello!,Hi there!,Goodbye.,Bye now!,Of course.,"
    "One moment.,One moment please.,Just a second.,Please hold.,Got it.,I see.,Perfect.,Great!,"
    "Sorry?,Pardon?,Really?,Go ahead.,Not yet.,Never mind.,No problem.,You're welcome.,Thank you.,"
    "Thank you so much!,Good morning.,Good afternoon.,Good evening!,Excuse me.,All right.,Alright!,"
    "Absolutely.,Exactly.,Correct.,Maybe.,Please wait.,Let me see.,Hmm. Let me check.,Uh-huh.,Wow!,"
    "Take care!,Have a nice day!,Are you there?,Can you hear me?,Who is this?,What time?,Which one?,"
    "How many?,Why not?,I'm sorry.,I understand.,That's right.,That's wrong.,Well done!,Any luck?,"
    "Anything else?,Is that okay?,Say that again?,Yes please.,No thanks.,Not at all.,Done.,Next."
).split(",")
REASONS = (
    "because the road is closed,because of the weather,since your card has expired,"
    "as soon as we hear back,before the office closes,once the payment clears,when you arrive,"
    "if that works for you,unless you tell us otherwise,although it may take a while,"
    "so that nobody has to wait,after the holidays,while you stay on the line,until further notice,"
    "in case anything changes,which should not take long,and we will let you know,"
    "but there is nothing to worry about,or you can do it online,though I would not rush it"
).split(",")
OPENINGS = (
    "Okay,|Well,|Right,|So,|Actually,|Unfortunately,|Luckily,|To be honest,|As I said,|By the way,|"
    "In that case,|First of all,|No worries,|Just so you know,|Let me see,|All right then,|Oh,|Ah yes,"
).split("|")
VERBS = (
    "check,change,cancel,confirm,find,move,renew,send,explain,repeat,update,print,forward,open,"
    "close,return,replace,review,book,track,describe,save,remove,pick up,look at,write down"
).split(",")
ADJECTIVES = (
    "small,large,quick,quiet,careful,bright,fresh,strange,gentle,broken,simple,heavy,modern,yellow,"
    "wooden,rough,smooth,purple,thin,thick,cheap,useful,foreign,frozen,joyful,vague,huge,young"
).split(",")
NOUNS = (
    "garden,bridge,kitchen,shelf,village,journey,engine,orange,treasure,feather,thunder,museum,fox,"
    "basket,church,judge,watch,beach,mountain,blanket,whistle,cousin,yacht,cloud,toy,voice,square,"
    "tower,earth,method,lodge,chair,mushroom,pleasure,window,jacket,bottle,zebra,hotel,youth,fire"
).split(",")
MOTIONS = (
    "rolled past,stood behind,vanished near,was painted by,belongs to,leans against,looked like,"
    "floated above,was found under,cost more than,arrived before,shook beside,turned into,rang by"
).split(",")
LETTERS = "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z".split()


def digits(choice: Random, count: int) -> str:
    """A run of single digits."""
    return " ".join(str(choice.randrange(10)) for _ in range(count))


def spelled(choice: Random) -> str:
    """A name spelled letter by letter, or a code of letters and digits."""
    if choice.random() < 0.5:
        name = choice.choice(LAST_NAMES).replace("'", "")
        return f"{name}, that's {', '.join(name.upper())}."
    code = [*choice.sample(LETTERS, 3), *(str(choice.randrange(10)) for _ in range(3))]
    choice.shuffle(code)
    return f"{choice.choice(('The code is', 'Your reference is', 'It reads'))} {', '.join(code)}."


def numeric(choice: Random) -> str:
    """Sentences whose words are mostly numbers: telephone, time, date, money, address."""
    hour, minute = choice.randint(1, 12), choice.choice((5, 10, 15, 20, 25, 30, 40, 45, 50, 55))
    day, month = choice.randint(1, 28), choice.choice(MONTHS)
    price = f"${choice.randint(1, 2000)}.{choice.randrange(100):02}"
    return choice.choice(
        (
            f"My number is {digits(choice, 3)}, {digits(choice, 3)}, {digits(choice, 4)}.",
            f"The last four digits are {digits(choice, 4)}.",
            f"Your {choice.choice(THINGS)} is at {hour}:{minute:02} on {choice.choice(DAYS)}.",
            f"Would {month} {day} at {hour} o'clock suit you?",
            f"That comes to {price}, including tax.",
            f"Your balance is {price}, due on {month} {day}.",
            f"We are at {choice.randint(1, 1999)} {choice.choice(STREETS)}, {choice.choice(PLACES)}.",
            f"It takes {choice.randint(2, 90)} minutes, or {choice.randint(2, 9)} hours at worst.",
            f"There are {choice.randint(2, 99)} people before you, so about {minute} minutes.",
            f"He was born in {choice.randint(1930, 2015)}, on the {day}th of {month}.",
            f"Press {choice.randint(1, 9)} for sales, or {choice.randint(0, 9)} to hear this again.",
            f"We had {choice.randint(1000, 99999)} visitors, {choice.randint(2, 99)} percent more.",
        )
    )


def question(choice: Random) -> str:
    """Questions as agents and callers ask them."""
    thing, person = choice.choice(THINGS), choice.choice(PEOPLE)
    return choice.choice(
        (
            f"Could you {choice.choice(VERBS)} the {thing} for me?",
            f"Is the {thing} {choice.choice(STATES)}?",
            f"When will my {thing} be {choice.choice(STATES)}?",
            f"Did the {person} call you on {choice.choice(DAYS)}?",
            f"May I speak to {choice.choice(FIRST_NAMES)} {choice.choice(LAST_NAMES)}, please?",
            f"Where should the {person} leave the {thing}?",
            f"Why was the {thing} {choice.choice(STATES)}?",
            f"Would you rather {choice.choice(VERBS)} it today, or wait for the {person}?",
            f"What is the name of your {person} in {choice.choice(PLACES)}?",
            f"How do I {choice.choice(VERBS)} a {choice.choice(ADJECTIVES)} {thing}?",
            f"You mean the {choice.choice(ADJECTIVES)} {choice.choice(NOUNS)}, don't you?",
        )
    )


def statement(choice: Random) -> str:
    """Statements of an agent, some with an opening or a clause behind."""
    thing, person, name = (choice.choice(pool) for pool in (THINGS, PEOPLE, FIRST_NAMES))
    core = choice.choice(
        (
            f"your {thing} is {choice.choice(STATES)}",
            f"the {person} can {choice.choice(VERBS)} the {thing} on {choice.choice(DAYS)}",
            f"{name} asked me to {choice.choice(VERBS)} your {thing}",
            f"I have sent the {thing} to {name} {choice.choice(LAST_NAMES)} in {choice.choice(PLACES)}",
            f"we could not {choice.choice(VERBS)} the {thing}",
            f"you will need a {choice.choice(ADJECTIVES)} {choice.choice(NOUNS)} and the {thing}",
            f"my {person} would {choice.choice(VERBS)} that {thing} by {choice.choice(MONTHS)}",
            f"I'll put you through to the {person} in {choice.choice(PLACES)}",
            f"there is one {choice.choice(ADJECTIVES)} {thing} left in {choice.choice(PLACES)}",
        )
    )
    if choice.random() < 0.35:
        core = f"{choice.choice(OPENINGS)} {core}"
    if choice.random() < 0.4:
        core += (
            f", {choice.choice(REASONS)}" if choice.random() < 0.5 else f" {choice.choice(REASONS)}"
        )
    return core[0].upper() + core[1:] + ("!" if choice.random() < 0.12 else ".")


def odd(choice: Random) -> str:
    """Unlikely sentences, which bring rare sounds next to each other."""
    first, second = choice.sample(NOUNS, 2)
    return (
        f"The {choice.choice(ADJECTIVES)} {first} {choice.choice(MOTIONS)} "
        f"{choice.choice(('a', 'the', 'his', 'our', 'each'))} {choice.choice(ADJECTIVES)} {second}."
    )


def greeting(choice: Random) -> str:
    """How calls begin and end."""
    name, last, place = (choice.choice(pool) for pool in (FIRST_NAMES, LAST_NAMES, PLACES))
    return choice.choice(
        (
            f"Thank you for calling {place} {choice.choice(('Dental', 'Bank', 'Motors', 'Travel'))}.",
            f"Hello, this is {name} {last} from {place}, how can I help you today?",
            f"Good morning {name}, it's about your {choice.choice(THINGS)}.",
            f"Thanks for waiting, {name}, I appreciate your patience.",
            f"Goodbye, Mrs. {last}, and say hello to {name}.",
            f"Please leave a message for {name} {last} after the tone.",
            f"You've reached the voicemail of {name} {last}.",
            f"I'm sorry, Mr. {last}, I didn't catch that.",
            f"This call may be recorded, {name}, is that all right?",
        )
    )


KINDS = ((statement, 34), (question, 20), (numeric, 17), (odd, 10), (greeting, 8), (spelled, 6))
SHORT_SHARE = 5


def call_sentence(choice: Random) -> str:
    """One sentence of a call; the same state of `choice` always gives the same one."""
    kinds = [kind for kind, _ in KINDS] + [lambda again: again.choice(SHORT)]
    weights = [weight for _, weight in KINDS] + [SHORT_SHARE]
    return choice.choices(kinds, weights)[0](choice)
