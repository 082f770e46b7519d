% The timing window of bench.positions in Prolog, explored with tabling: reach/1 is every state between two moves.
% A state is s(Stage,Generation,Passes,Priority,Frames,Choosing,News,Kneeling,Moribund,Played,Chances,Due,Counters);
% a frame is f(Ability,Event,Aim,Saved,Cancelled,Tried,Passes,Priority), the top one first. Sets are bit masks.
% The facts of a position are written before this text:
%   players(N). size(N). events(Mask). opener(P). first_state(S). watched(Mask).
%   ability(A,Source,Owner,Kind,Triggers,Cancels,Saves,Targets,Payers,Cost,Effect,Counter).

:- table reach/1.
reach(S) :- first_state(S).
reach(S) :- reach(R), move(R, M), after(M, R, S).

member_of(Mask, X) :- Mask > 0, Low is Mask /\ -Mask, X0 is msb(Low), Rest is Mask xor Low, ( X = X0 ; member_of(Rest, X) ).
next(P, Q) :- players(N), Q is (P+1) mod N.
has(Mask, X) :- Mask /\ (1 << X) =\= 0.

payable(A, Kneeling, Played) :-
    ability(A, Source, _, _, _, _, _, _, Payers, Cost, _, _), events(E),
    (   has(E, Source) -> \+ has(Played, Source)
    ;   Cost == free -> true
    ;   Payers /\ \ Kneeling =\= 0 ).

% of alike occurrences the first only
first_of(Mask, A, X) :- ability(A,_,_,_,_,_,_,_,_,_,_,_), size(N), Part is (Mask >> (A*N)) /\ ((1 << N) - 1), Part > 0, X is msb(Part /\ -Part).

% ---- Legal moves
move(s(over,_,_,_,_,_,_,_,_,_,_,_,_), _) :- !, fail.
move(s(_,_,_,_,_,_,News,_,_,_,_,_,_), M) :- News > 0, !, M = note.
move(s(_,_,_,_,_,c(A,_,Aim),_,Kneeling,Mor,_,_,_,_), M) :- !,
    ability(A,_,_,_,_,_,_,Targets,Payers,Cost,_,_),
    (   Targets >= 0, Aim < 0 -> T is Targets /\ \ Mor, member_of(T, X), M = aim(X)
    ;   Cost == free -> M = pay(-1)
    ;   P is Payers /\ \ Kneeling, member_of(P, X), M = pay(X) ).
move(s(_,_,_,_,[F|_],_,_,Kneeling,Mor,Played,_,_,_), M) :- !, answer(F, Kneeling, Mor, Played, M).
move(s(events,_,_,_,_,_,_,_,_,_,_,_,_), M) :- !, M = proceed.
move(s(_,_,_,_,_,_,_,_,_,_,_,Due,_), M) :- youngest(Due, 4, G, Mask), !, first_of(Mask, A, X), M = start(G,A,X).
move(s(passives,_,_,_,_,_,_,_,_,_,_,_,_), M) :- !, M = proceed.
move(s(_,_,Passes,_,_,_,_,_,_,_,_,_,_), M) :- players(Passes), !, M = close.
move(_, pass).
move(s(_,_,_,P,_,_,_,Kneeling,Mor,Played,Chances,_,_), use(A,X)) :-
    first_of(Chances, A, X), ability(A,_,P,_,_,_,_,Targets,_,_,_,_), payable(A, Kneeling, Played),
    ( Targets < 0 -> true ; Targets /\ \ Mor =\= 0 ).

youngest(Due, G, G, Mask) :- nth0(G, Due, Mask), Mask > 0, !.
youngest(Due, G, H, Mask) :- G > 0, G1 is G-1, youngest(Due, G1, H, Mask).

answer(f(_,_,_,_,Cancelled,_,Passes,_), _, _, _, M) :- players(Passes), !, ( Cancelled =:= 1 -> M = skip ; M = execute ).
answer(_, _, _, _, pass).
answer(f(B,_,Aim,Saved,0,Tried,_,P), Kneeling, Mor, Played, use(A,E)) :-
    ability(A,_,P,_,_,Cancels,Saves,_,_,_,_,_), \+ has(Tried, A),
    (   Saves > 0 -> ability(B,_,_,_,_,_,_,_,_,_,kill,_), Saved =:= 0, \+ has(Mor, Aim), has(Saves, Aim), E = Aim
    ;   Cancels > 0, has(Cancels, B), E = B ),
    payable(A, Kneeling, Played).

% ---- Changes
after(pass, s(St,G,N,P,[],C,W,K,D,Y,H,U,V), s(St,G,N1,Q,[],C,W,K,D,Y,H,U,V)) :- !, N1 is N+1, next(P, Q).
after(pass, s(St,G,N,P,[f(A,E,X,S,L,T,FN,FP)|R],C,W,K,D,Y,H,U,V), s(St,G,N,P,[f(A,E,X,S,L,T,FN1,FQ)|R],C,W,K,D,Y,H,U,V)) :- FN1 is FN+1, next(FP, FQ).
after(use(A,E), s(St,G,N,P,[f(B,F,X,S,L,T,FN,FP)|R],_,W,K,D,Y,H,U,V), s(St,G,N,P,[f(B,F,X,S,L,T1,FN,FP)|R],c(A,E,-1),W,K,D,Y,H,U,V)) :- !, T1 is T \/ (1 << A).
after(use(A,E), s(St,_,N,P,[],_,W,K,D,Y,H,U,V), s(St,0,N,P,[],c(A,E,-1),W,K,D,Y,H1,U,V)) :- size(Z), H1 is H /\ \ (1 << (A*Z+E)).
after(aim(X), s(St,G,N,P,R,c(A,E,_),W,K,D,Y,H,U,V), s(St,G,N,P,R,c(A,E,X),W,K,D,Y,H,U,V)).
after(pay(X), s(St,G,N,P,R,c(A,E,Aim),W,K,D,Y,H,U,V), s(St1,G,N1,P,[f(A,E,Aim,0,0,0,0,First)|R1],none,W,K1,D,Y1,H,U,V)) :-
    ability(A, Source, Owner, Kind, _, _, _, _, _, _, _, _), events(Ev), opener(O),
    ( Kind == response -> anew(R, N, R1, N1) ; R1 = R, N1 = N ),
    ( Kind == passive -> next(O, First) ; next(Owner, First) ),
    ( Kind == action -> St1 = events ; St1 = St ),
    ( X >= 0 -> K1 is K \/ (1 << X) ; K1 = K ),
    Y1 is Y \/ (Ev /\ (1 << Source)).
after(execute, s(St,G,N,P,[f(A,_,X,Saved,_,_,_,_)|R],_,W,K,D,Y,H,U,V), s(St,G,N,P1,R2,none,W1,K,D1,Y,H,U,V1)) :-
    ability(A, _, Owner, Kind, _, _, _, _, _, _, Effect, Counter),
    effect(Effect, Counter, X, Saved, R, W, D, V, R1, W1, D1, V1),
    turn_after(Kind, Owner, R1, P, R2, P1).
after(skip, s(St,G,N,P,[f(A,_,_,_,_,_,_,_)|R],_,W,K,D,Y,H,U,V), s(St,G,N,P1,R1,none,W,K,D,Y,H,U,V)) :-
    ability(A, _, Owner, Kind, _, _, _, _, _, _, _, _), turn_after(Kind, Owner, R, P, R1, P1).
after(note, s(St,G,N,P,R,C,W,K,D,Y,H,U,V), s(St,G,N,P,R,C,0,K,D,Y,H1,U1,V)) :-
    findall(B, answers(response, W, B), Bs), foldl([B0,M0,M1]>>(M1 is M0 \/ (1 << B0)), Bs, H, H1),
    findall(B, answers(passive, W, B), Ds), G1 is G+1, nth0(G1, U, Old, Others),
    foldl([B0,M0,M1]>>(M1 is M0 \/ (1 << B0)), Ds, Old, New), nth0(G1, U1, New, Others).
after(start(G,A,X), s(St,_,N,P,R,_,W,K,D,Y,H,U,V), s(St,G,N,P,R,c(A,X,-1),W,K,D,Y,H,U1,V)) :-
    size(Z), nth0(G, U, Old, Others), New is Old /\ \ (1 << (A*Z+X)), nth0(G, U1, New, Others).
after(proceed, s(events,G,N,P,R,C,W,K,D,Y,H,U,V), s(passives,G,N,P,R,C,W,K,D,Y,H,U,V)) :- !.
after(proceed, s(passives,_,N,_,R,C,W,K,D,Y,H,U,V), s(responses,0,N,P,R,C,W,K,D,Y,H,U,V)) :- opener(O), next(O, P).
after(close, s(_,_,_,_,_,_,_,K,D,Y,_,_,V), s(over,0,0,-1,[],none,0,K1,D,Y,0,[],V)) :- K1 is K /\ \ D.

anew([], _, [], 0).
anew([f(A,E,X,S,L,T,_,P)|R], N, [f(A,E,X,S,L,T,0,P)|R], N).
turn_after(response, Owner, [], _, [], P) :- !, next(Owner, P).
turn_after(response, Owner, [f(A,E,X,S,L,T,N,_)|R], P, [f(A,E,X,S,L,T,N,Q)|R], P) :- !, next(Owner, Q).
turn_after(_, _, R, P, R, P).

effect(kill, _, X, 0, R, W, D, V, R, W1, D1, V) :- \+ has(D, X), !, D1 is D \/ (1 << X), watched(M), W1 is W \/ (M /\ (1 << X)).
effect(kill, _, _, _, R, W, D, V, R, W, D, V) :- !.
effect(save, _, _, _, [f(A,E,X,_,L,T,N,P)|R], W, D, V, [f(A,E,X,1,L,T,N,P)|R], W, D, V) :- !.
effect(cancel, _, _, _, [f(A,E,X,S,_,T,N,P)|R], W, D, V, [f(A,E,X,S,1,T,N,P)|R], W, D, V) :- !.
effect(_, Counter, _, _, R, W, D, V, R, W, D, V1) :- nth0(Counter, V, Old, Others), New is Old+1, nth0(Counter, V1, New, Others).

answers(Kind, News, Bit) :- size(Z), ability(A,_,_,Kind,Triggers,_,_,_,_,_,_,_), T is Triggers /\ News, member_of(T, X), Bit is A*Z+X.

count(States, Ends) :- aggregate_all(count, reach(_), States), aggregate_all(count, reach(s(over,_,_,_,_,_,_,_,_,_,_,_,_)), Ends).
main :- statistics(walltime, [T0,_]), count(S, E), statistics(walltime, [T1,_]), T is T1-T0, format("~w ~w ~w~n", [S, E, T]).
